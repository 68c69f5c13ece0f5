-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/intro-to-ada/chapters/arrays.html Arrays
-- snippet:prints case 3: roman (4) is IIII and not IV
-- snippet:prints 1 of 3 failed
with Ada.Text_IO; use Ada.Text_IO;
with Ada.Command_Line;
with Ada.Strings.Unbounded; use Ada.Strings.Unbounded;
procedure Main is
   function Roman (Number : Natural) return String is
     ([for I in 1 .. Number => 'I']); --  wrong from 4 on: the table finds it
   -- snippet:end
   procedure Test_Roman is
      type Test_Case is record
         Number : Natural;
         Want   : Unbounded_String;
      end record;

      Cases : constant array (Positive range <>) of Test_Case :=
        [(0, To_Unbounded_String ("")),
         (3, To_Unbounded_String ("III")),
         (4, To_Unbounded_String ("IV"))];

      Failed : Natural := 0;
   begin
      for I in Cases'Range loop
         if Roman (Cases (I).Number) /= Cases (I).Want then
            Failed := Failed + 1; --  and go on: one run tells about all rows
            Put_Line ("case" & I'Image & ": roman (" & Cases (I).Number'Image (2 .. 2) & ") is "
              & Roman (Cases (I).Number) & " and not " & To_String (Cases (I).Want));
         end if;
      end loop;
      if Failed > 0 then
         Put_Line (Failed'Image (2 .. 2) & " of" & Cases'Length'Image & " failed");
         Ada.Command_Line.Set_Exit_Status (Ada.Command_Line.Failure);
      end if;
   end Test_Roman;
   -- snippet:check
begin
   Test_Roman;
   Ada.Command_Line.Set_Exit_Status (Ada.Command_Line.Success);
end Main;
