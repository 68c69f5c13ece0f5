-- snippet:check
-- snippet:doc https://learn.adacore.com/courses/intro-to-ada/chapters/records.html Records
-- snippet:prints settled: TRUE, overshoot below 2 degrees: TRUE
-- snippet:prints a cooler at its limit does not wind up: TRUE
with Ada.Text_IO; use Ada.Text_IO;
procedure Main is
   -- snippet:end
   type Controller is record
      P, I, D     : Float;        --  gains
      Low, High   : Float;        --  limits of the output
      Sum         : Float := 0.0; --  of error times seconds
      Last        : Float := 0.0; --  measured
      Has_Started : Boolean := False;
   end record;

   procedure Step (C : in out Controller; Target, Measured, Seconds : Float; Output : out Float)
     with Pre => Seconds > 0.0
   is
      Error : constant Float := Target - Measured;
      Slope : constant Float := (if C.Has_Started then (Measured - C.Last) / Seconds else 0.0);
      Sum   : constant Float := C.Sum + Error * Seconds;
      Raw   : constant Float := C.P * Error + C.I * Sum - C.D * Slope; --  D of the measurement: no kick at a new target
   begin
      Output := Float'Max (C.Low, Float'Min (C.High, Raw));
      --  Held while it would push the output further beyond its limit: no winding up.
      if Raw = Output or else (Raw - Output) * C.I * Error < 0.0 then
         C.Sum := Sum;
      end if;
      C.Last := Measured;
      C.Has_Started := True;
   end Step;
   -- snippet:check
   C    : Controller := (P => 8.0, I => 0.4, D => 2.0, Low => 0.0, High => 100.0, others => <>);
   Heat : Float := 20.0;
   Most : Float := 20.0;
   Out_Now : Float;
   Cooler  : Controller := (P => -8.0, I => -0.4, D => 0.0, Low => 0.0, High => 100.0, others => <>);
begin
   for Second in 1 .. 900 loop
      Step (C, 60.0, Heat, 1.0, Out_Now);
      Heat := Heat + Out_Now * 0.02 - (Heat - 20.0) * 0.02;
      Most := Float'Max (Most, Heat);
   end loop;
   Put_Line ("settled: " & Boolean'Image (abs (Heat - 60.0) < 0.1) & ", overshoot below 2 degrees: " & Boolean'Image (Most < 62.0));
   for Second in 1 .. 900 loop
      Step (Cooler, 4.0, 30.0, 1.0, Out_Now);
   end loop;
   Put_Line ("a cooler at its limit does not wind up: " & Boolean'Image (abs Cooler.Sum < 100.0));
end Main;
