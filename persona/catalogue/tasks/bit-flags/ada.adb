-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/advanced-ada/parts/data_types/types_representation.html Representation clauses
-- snippet:into Put the with lines above a program, and the rest among its declarations.
-- snippet:prints 93
-- snippet:prints TRUE 9 HIGH
-- snippet:prints  92
with Ada.Text_IO; use Ada.Text_IO;
-- snippet:end
with Ada.Unchecked_Conversion;
with Interfaces; use Interfaces;
with System;
-- snippet:check
procedure Main is
   -- snippet:end
   --  All four patterns have a name: a byte that is read is always valid.
   type Priority is (Low, Middle, High, Highest) with Size => 2;
   for Priority use (Low => 0, Middle => 1, High => 2, Highest => 3);
   type Channel_Number is range 0 .. 15;

   --  A register of eight bits, as the data sheet draws it. No masks, no shifts: the compiler writes them.
   type Control is record
      Enabled  : Boolean;
      Level    : Priority;
      Channel  : Channel_Number;
      Reserved : Boolean := False;
   end record
     with Size => 8, Bit_Order => System.Low_Order_First;

   for Control use record
      Enabled  at 0 range 0 .. 0;
      Level    at 0 range 1 .. 2;
      Channel  at 0 range 3 .. 6;
      Reserved at 0 range 7 .. 7;
   end record;

   function To_Byte is new Ada.Unchecked_Conversion (Control, Unsigned_8);
   function From_Byte is new Ada.Unchecked_Conversion (Unsigned_8, Control);
   -- snippet:check
   Register : Control := (Enabled => True, Level => High, Channel => 11, Reserved => False);
   Back     : constant Control := From_Byte (2#0100_1101#);
   Text     : constant String := To_Byte (Register)'Image;
begin
   Put_Line (Text (2 .. Text'Last));
   pragma Assert ((for all Byte in Unsigned_8 => From_Byte (Byte).Level'Valid));
   Put_Line (Back.Enabled'Image & Back.Channel'Image & " " & Back.Level'Image);
   Register.Enabled := False;
   Put_Line (To_Byte (Register)'Image);
end Main;
