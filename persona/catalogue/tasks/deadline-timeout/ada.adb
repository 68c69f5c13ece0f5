-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/intro-to-ada/chapters/tasking.html#select-statements Select statements
-- snippet:prints a fast answer: 42
-- snippet:prints a slow one: timeout
with Ada.Text_IO; use Ada.Text_IO;
procedure Main is
   -- snippet:end
   generic
      with function Compute return Integer;
   procedure Ask (Limit : Duration; Answer : out Integer; In_Time : out Boolean);

   --  Asynchronous transfer of control: when the delay ends first, the computation is abandoned.
   procedure Ask (Limit : Duration; Answer : out Integer; In_Time : out Boolean) is
   begin
      Answer := 0;
      In_Time := False;
      select
         delay Limit;
      then abort
         Answer := Compute; --  left at its next delay or entry call at the latest
         In_Time := True;
      end select;
   end Ask;
   -- snippet:check
   function Fast return Integer is (42);
   function Slow return Integer is
   begin
      delay 30.0;
      return 1;
   end Slow;
   procedure Ask_Fast is new Ask (Fast);
   procedure Ask_Slow is new Ask (Slow);
   Answer  : Integer;
   In_Time : Boolean;
begin
   Ask_Fast (5.0, Answer, In_Time);
   Put_Line ("a fast answer:" & (if In_Time then Answer'Image else " timeout"));
   Ask_Slow (0.05, Answer, In_Time);
   Put_Line ("a slow one:" & (if In_Time then Answer'Image else " timeout"));
end Main;
