-- snippet:usage
-- snippet:title Tasks that share a queue of jobs
-- snippet:doc https://learn.adacore.com/courses/intro-to-ada/chapters/tasking.html Tasking
-- snippet:needs Ada 2022 (GNAT 12)
-- snippet:into Save it as main.adb: gnatmake -gnat2022 main.adb
-- snippet:prints   1  4  9  16  25  36
with Ada.Text_IO; use Ada.Text_IO;
procedure Main is
   -- snippet:end
   type Number_List is array (Positive range <>) of Integer;

   --  Squares the numbers with three tasks. Results keep their order, because each goes to its own place.
   procedure Square_All (Numbers : in out Number_List) is
      protected Queue is
         procedure Take (Index : out Positive; Found : out Boolean); --  each index once
      private
         Next : Positive := Numbers'First;
      end Queue;

      protected body Queue is
         procedure Take (Index : out Positive; Found : out Boolean) is
         begin
            Index := Next;
            Found := Next <= Numbers'Last;
            Next := Next + Boolean'Pos (Found);
         end Take;
      end Queue;

      task type Worker;
      task body Worker is
         Index : Positive; Found : Boolean;
      begin
         loop
            Queue.Take (Index, Found);
            exit when not Found;
            Numbers (Index) := Numbers (Index) ** 2; --  the work: an exception would end this task unseen
         end loop;
      end Worker;

      Workers : array (1 .. 3) of Worker with Unreferenced; --  they start here
   begin
      null;
   end Square_All; --  and the procedure ends when all of them have
   -- snippet:usage
   Numbers : Number_List := [1, 2, 3, 4, 5, 6];
begin
   Square_All (Numbers);
   for N of Numbers loop
      Put (" " & N'Image);
   end loop;
   New_Line;
end Main;
