-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/intro-to-ada/chapters/generics.html Generics
-- snippet:prints 2 3 4
-- snippet:prints  3 of  3
with Ada.Text_IO;
procedure Main is
   -- snippet:end
   generic
      type Element is private;
      Capacity : Positive;
   package Ring_Buffers is
      type Buffer is private;
      function Length (B : Buffer) return Natural;

      --  Overwrites the oldest element when the buffer is full.
      procedure Put (B : in out Buffer; Item : Element)
        with Post => Length (B) = Natural'Min (Length (B)'Old + 1, Capacity);

      --  The oldest is number 1. GNAT checks Pre and Post only with -gnata.
      function Get (B : Buffer; Number : Positive) return Element
        with Pre => Number <= Length (B);
   private
      type Elements is array (0 .. Capacity - 1) of Element;
      type Buffer is record
         Items : Elements;
         Next  : Natural := 0; --  where the next element goes
         Count : Natural := 0;
      end record;
      function Length (B : Buffer) return Natural is (B.Count);
      function Get (B : Buffer; Number : Positive) return Element is
        (B.Items ((B.Next + Capacity - B.Count + Number - 1) mod Capacity));
   end Ring_Buffers;

   package body Ring_Buffers is
      procedure Put (B : in out Buffer; Item : Element) is
      begin
         B.Items (B.Next) := Item;
         B.Next := (B.Next + 1) mod Capacity;
         B.Count := Natural'Min (B.Count + 1, Capacity);
      end Put;
   end Ring_Buffers;
   -- snippet:check
   package Three is new Ring_Buffers (Integer, 3);
   B : Three.Buffer;
begin
   for I in 1 .. 4 loop
      Three.Put (B, I);
   end loop;
   Ada.Text_IO.Put_Line (Integer'Image (Three.Get (B, 1)) (2 .. 2) & Integer'Image (Three.Get (B, 2)) & Integer'Image (Three.Get (B, 3)));
   Ada.Text_IO.Put_Line (Three.Length (B)'Image & " of  3");
   begin
      Ada.Text_IO.Put_Line (Integer'Image (Three.Get (B, 4)));
   exception
      when others => null; --  the precondition
   end;
end Main;
