-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/intro-to-ada/chapters/more_about_types.html Decimal fixed-point types
-- snippet:needs Ada 2022
-- snippet:prints   33.34  33.33  33.33
-- snippet:prints 0.1 + 0.2 is 0.3: TRUE
with Ada.Text_IO; use Ada.Text_IO;
procedure Main is
   -- snippet:end
   --  A decimal type: a whole number of cents, and the compiler keeps the point. 0.1 + 0.2 is 0.3.
   type Money is delta 0.01 digits 15;
   type Money_List is array (Positive range <>) of Money;

   --  Splits an amount into parts that differ by a cent at most and add up to it.
   function Split (Amount : Money; Parts : Positive) return Money_List is
      Share : constant Money := Amount / Parts; --  towards zero
      Rest  : Money := Amount - Share * Parts;
      Cent  : constant Money := (if Rest < 0.0 then -Money'Delta else Money'Delta);
   begin
      return Result : Money_List (1 .. Parts) := [others => Share] do
         for Part of Result loop
            exit when Rest = 0.0;
            Part := Part + Cent;
            Rest := Rest - Cent;
         end loop;
      end return;
   end Split;
   -- snippet:check
   function Sum (Left, Right : Money) return Money is (Left + Right);
begin
   for Part of Split (100.00, 3) loop
      Put (" " & Part'Image);
   end loop;
   New_Line;
   Put_Line ("0.1 + 0.2 is 0.3: " & Boolean'Image (Sum (0.10, 0.20) = 0.30));
   pragma Assert (Split (-0.05, 2) = [-0.03, -0.02]);
end Main;
