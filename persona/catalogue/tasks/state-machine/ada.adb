-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/intro-to-ada/chapters/arrays.html Arrays over enumerations
-- snippet:needs Ada 2022 (GNAT 12)
-- snippet:into Put it among the declarations of a program, and compile that with -gnat2022.
-- snippet:prints LOCKED COIN: UNLOCKED
-- snippet:prints UNLOCKED PUSH: LOCKED
-- snippet:prints LOCKED PUSH: refused
-- snippet:prints LOCKED JAM: BROKEN
-- snippet:prints BROKEN REPAIR: LOCKED
with Ada.Text_IO; use Ada.Text_IO;
procedure Main is
   -- snippet:end
   type State is (Locked, Unlocked, Broken);
   type Event is (Coin, Push, Jam, Repair);
   type Target is record
      Allowed : Boolean := False;
      Next    : State := Locked;
   end record;

   --  The compiler tells of a state without a row, as an error or a warning. What a row does not name is refused.
   Transitions : constant array (State, Event) of Target :=
     [Locked   => [Coin => (True, Unlocked), Jam => (True, Broken), others => <>],
      Unlocked => [Push => (True, Locked), Coin => (True, Unlocked), Jam => (True, Broken), others => <>],
      Broken   => [Repair => (True, Locked), others => <>]];

   Not_Allowed : exception;

   procedure Fire (Current : in out State; What : Event) is
      To : Target renames Transitions (Current, What);
   begin
      if not To.Allowed then
         raise Not_Allowed with Current'Image & " does not take " & What'Image;
      end if;
      Current := To.Next;
   end Fire;
   -- snippet:check
   Door : State := Locked;
   procedure Show (What : Event) is
      Before : constant State := Door;
   begin
      Fire (Door, What);
      Put_Line (Before'Image & " " & What'Image & ": " & Door'Image);
   exception
      when Not_Allowed => Put_Line (Before'Image & " " & What'Image & ": refused");
   end Show;
begin
   Show (Coin);
   Show (Push);
   Show (Push);
   Show (Jam);
   Show (Repair);
end Main;
