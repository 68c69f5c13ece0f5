% snippet:doc https://www.mathworks.com/help/matlab/ref/sortrows.html sortrows
%        run  detector  energy
events = [ 1        2     5.1
           2        1     7.4
           1        1     5.1
           3        2     7.4 ];

% Highest energy first, then by detector, then by run.
[sorted, order] = sortrows(events, [-3 2 1]);

fprintf("run %d, detector %d, %.1f MeV\n", sorted');
fprintf("was in rows %s\n", mat2str(order'));
% snippet:prints run 2, detector 1, 7.4 MeV
% snippet:prints run 3, detector 2, 7.4 MeV
% snippet:prints run 1, detector 1, 5.1 MeV
% snippet:prints run 1, detector 2, 5.1 MeV
% snippet:prints was in rows [2 4 3 1]
