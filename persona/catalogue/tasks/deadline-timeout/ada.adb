-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/intro-to-ada/chapters/tasking.html#select-statements Select statements
-- snippet:why A task that never answers must not stop the one that waits for it.
-- snippet:description Give a computation a time limit, and tell a timeout apart from other failures. At the limit it is abandoned,
-- snippet:description where it waits next; one that never waits runs to its end, but its answer counts as too late.
-- snippet:prints a fast answer: 42
-- snippet:prints a slow one: timeout
-- snippet:prints a busy one: timeout
with Ada.Calendar; use Ada.Calendar;
with Ada.Text_IO;  use Ada.Text_IO;
procedure Main is
   -- snippet:end
   generic
      with function Compute return Integer;
   procedure Ask (Limit : Duration; Answer : out Integer; In_Time : out Boolean);

   --  Asynchronous transfer of control: when the delay ends first, the computation is abandoned, at its next
   --  delay or entry call at the latest. One that has neither may run to its end, and its answer does not count.
   procedure Ask (Limit : Duration; Answer : out Integer; In_Time : out Boolean) is
   begin
      Answer := 0;
      In_Time := False;
      select
         delay Limit;
      then abort
         Answer := Compute;
         delay 0.0; --  the last place to be abandoned at: a late answer is not in time
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
   function Busy return Integer is
      Last : constant Time := Clock + 0.2;
   begin
      while Clock < Last loop null; end loop;
      return 2;
   end Busy;
   procedure Ask_Fast is new Ask (Fast);
   procedure Ask_Slow is new Ask (Slow);
   procedure Ask_Busy is new Ask (Busy);
   Answer  : Integer;
   In_Time : Boolean;
begin
   Ask_Fast (5.0, Answer, In_Time);
   Put_Line ("a fast answer:" & (if In_Time then Answer'Image else " timeout"));
   Ask_Slow (0.05, Answer, In_Time);
   Put_Line ("a slow one:" & (if In_Time then Answer'Image else " timeout"));
   Ask_Busy (0.05, Answer, In_Time);
   Put_Line ("a busy one:" & (if In_Time then Answer'Image else " timeout"));
end Main;
