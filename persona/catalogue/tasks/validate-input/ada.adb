-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/intro-to-ada/chapters/contracts.html#predicates Predicates
-- snippet:prints 2 mistakes
-- snippet:prints e-mail: one @, and something on both sides of it
-- snippet:prints age: from 18 to 130
with Ada.Text_IO; use Ada.Text_IO;
-- snippet:end
with Ada.Containers.Indefinite_Vectors;
with Ada.Strings.Fixed; use Ada.Strings;
-- snippet:check
procedure Main is
   -- snippet:end
   package Text_Vectors is new Ada.Containers.Indefinite_Vectors (Positive, String);

   subtype Age_Of_Adult is Integer range 18 .. 130;
   subtype Name is String
     with Dynamic_Predicate => Fixed.Trim (Name, Both)'Length in 1 .. 80;
   subtype Address is String
     with Dynamic_Predicate => Fixed.Count (Address, "@") = 1
       and then Address (Address'First) /= '@' and then Address (Address'Last) /= '@';

   --  "in" asks whether a value belongs to a subtype, so the rules stand in the types and nowhere else.
   function Mistakes (Full_Name, Mail : String; Age : Integer) return Text_Vectors.Vector is
   begin
      return Found : Text_Vectors.Vector do
         if Full_Name not in Name then
            Found.Append ("name: 1 to 80 characters");
         end if;
         if Mail not in Address then
            Found.Append ("e-mail: one @, and something on both sides of it");
         end if;
         if Age not in Age_Of_Adult then
            Found.Append ("age: from 18 to 130");
         end if;
      end return;
   end Mistakes;
   -- snippet:check
   Found : constant Text_Vectors.Vector := Mistakes ("Ada", "ada example.com", 17);
   Total : constant String := Found.Length'Image;
begin
   pragma Assert (Mistakes ("Ada", "ada@example.com", 36).Is_Empty);
   pragma Assert (Natural (Mistakes (" ", "@example.com", 131).Length) = 3);
   pragma Assert (Natural (Mistakes ("", "", 18).Length) = 2);
   pragma Assert (Natural (Mistakes ([1 .. 81 => 'a'], "ada@", 130).Length) = 2);
   Put_Line (Total (2 .. Total'Last) & " mistakes");
   for Text of Found loop
      Put_Line (Text);
   end loop;
end Main;
