-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/intro-to-ada/chapters/strongly_typed_language.html Strongly typed language
-- snippet:prints 1.83 m
-- snippet:prints 6.00 ft
with Ada.Text_IO; use Ada.Text_IO;
procedure Main is
   -- snippet:end
   --  Two types of the same numbers: Metres + Feet does not compile.
   type Metres is new Float;
   type Feet is new Float;

   Metres_Per_Foot : constant := 0.304_8; --  exact, by definition

   function To_Metres (Length : Feet) return Metres is
     (Metres (Length) * Metres_Per_Foot);

   function To_Feet (Length : Metres) return Feet is
     (Feet (Length / Metres_Per_Foot));

   --  Square metres are a type of their own too: metres times metres are not metres.
   type Square_Metres is new Float;
   function "*" (Left, Right : Metres) return Metres is abstract with Unreferenced;
   function "**" (Left : Metres; Right : Integer) return Metres is abstract with Unreferenced;
   function "*" (Left, Right : Metres) return Square_Metres is
     (Square_Metres (Float (Left) * Float (Right)));
   -- snippet:check
   package Lengths is new Float_IO (Metres);
   package Imperial is new Float_IO (Feet);
   Side : constant Square_Metres := Metres'(2.0) * Metres'(3.0);
begin
   pragma Assert (Side = 6.0);
   Lengths.Put (To_Metres (6.0), Fore => 1, Aft => 2, Exp => 0);
   Put_Line (" m");
   Imperial.Put (To_Feet (1.8288), Fore => 1, Aft => 2, Exp => 0);
   Put_Line (" ft");
end Main;
