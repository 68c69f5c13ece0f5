-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/advanced-ada/parts/data_types/types_representation.html Representation clauses
-- snippet:prints 93
-- snippet:prints TRUE 9 HIGH
with Ada.Text_IO; use Ada.Text_IO;
with Ada.Unchecked_Conversion;
with Interfaces; use Interfaces;
procedure Main is
   -- snippet:end
   type Priority is (Low, Middle, High) with Size => 2;
   for Priority use (Low => 0, Middle => 1, High => 2);
   type Channel_Number is range 0 .. 15;

   --  A register of eight bits, as the data sheet draws it. No masks, no shifts: the compiler writes them.
   type Control is record
      Enabled  : Boolean;
      Level    : Priority;
      Channel  : Channel_Number;
      Reserved : Boolean := False;
   end record
     with Size => 8;

   for Control use record
      Enabled  at 0 range 0 .. 0;
      Level    at 0 range 1 .. 2;
      Channel  at 0 range 3 .. 6;
      Reserved at 0 range 7 .. 7;
   end record;

   function To_Byte is new Ada.Unchecked_Conversion (Control, Unsigned_8);
   function From_Byte is new Ada.Unchecked_Conversion (Unsigned_8, Control);
   -- snippet:check
   Register : constant Control := (Enabled => True, Level => High, Channel => 11, Reserved => False);
   Back     : constant Control := From_Byte (2#0100_1101#);
   Text     : constant String := To_Byte (Register)'Image;
begin
   Put_Line (Text (2 .. Text'Last));
   Put_Line (Back.Enabled'Image & Back.Channel'Image & " " & Back.Level'Image);
end Main;
