-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/intro-to-ada/chapters/arrays.html Arrays
-- snippet:needs Ada 2022 (GNAT 12)
-- snippet:into Save it as main.adb: gnatmake -gnat2022 main.adb
-- snippet:prints cases: 4, failed: 0
-- snippet:end
with Ada.Command_Line; use Ada.Command_Line;
with Ada.Text_IO;      use Ada.Text_IO;

procedure Main is
   function Is_Leap (Year : Positive) return Boolean is
     (Year mod 4 = 0 and then (Year mod 100 /= 0 or else Year mod 400 = 0));

   type Test_Case is record
      Year : Positive;
      Want : Boolean;
   end record;

   Cases : constant array (Positive range <>) of Test_Case :=
     [(2023, False), (2024, True), (1900, False), (2000, True)];

   Failed : Natural := 0;
begin
   for Row of Cases loop
      if Is_Leap (Row.Year) /= Row.Want then
         Failed := Failed + 1; --  and go on: one run tells about all rows
         Put_Line ("FAIL" & Row.Year'Image & ": not " & Row.Want'Image);
      end if;
   end loop;
   Put_Line ("cases:" & Cases'Length'Image & ", failed:" & Failed'Image);
   if Failed > 0 then
      Set_Exit_Status (Failure);
   end if;
end Main;
