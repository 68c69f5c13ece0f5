-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/intro-to-ada/chapters/strongly_typed_language.html#unsigned-types Unsigned types
-- snippet:into Put the with line above a program, and the rest among its declarations.
-- snippet:prints 29B1
-- snippet:prints a flipped bit is caught: TRUE
with Ada.Text_IO; use Ada.Text_IO;
-- snippet:end
with Interfaces; use Interfaces;
-- snippet:check
procedure Main is
   -- snippet:end
   type Byte_Array is array (Positive range <>) of Unsigned_8;

   --  CRC-16/CCITT-FALSE: polynomial 16#1021#, starts with all ones, highest bit first.
   function Checksum (Data : Byte_Array) return Unsigned_16 is
      Sum : Unsigned_16 := 16#FFFF#;
   begin
      for Byte of Data loop
         Sum := Sum xor Shift_Left (Unsigned_16 (Byte), 8);
         for Bit in 1 .. 8 loop
            Sum := (if (Sum and 16#8000#) /= 0
                    then Shift_Left (Sum, 1) xor 16#1021#
                    else Shift_Left (Sum, 1));
         end loop;
      end loop;
      return Sum;
   end Checksum;

   --  A frame with its sum appended has the sum zero.
   function Is_Intact (Frame : Byte_Array) return Boolean is (Checksum (Frame) = 0);

   function With_Checksum (Data : Byte_Array) return Byte_Array is
     (Data & Unsigned_8 (Shift_Right (Checksum (Data), 8)) & Unsigned_8 (Checksum (Data) and 16#FF#));
   -- snippet:check
   package Hex is new Modular_IO (Unsigned_16);
   Digits_9 : constant Byte_Array := [for I in 1 .. 9 => Character'Pos ('0') + Unsigned_8 (I)];
   Frame    : Byte_Array := With_Checksum (Digits_9);
   Text     : String (1 .. 8);
begin
   Hex.Put (Text, Checksum (Digits_9), Base => 16);
   Put_Line (Text (4 .. 7));
   pragma Assert (Is_Intact (Frame));
   Frame (4) := Frame (4) xor 2#0001_0000#;
   Put_Line ("a flipped bit is caught: " & Boolean'Image (not Is_Intact (Frame)));
end Main;
