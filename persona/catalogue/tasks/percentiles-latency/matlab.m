% snippet:doc https://www.mathworks.com/help/matlab/ref/sort.html sort
ms = [12 15 11 14 13 12 240 13 12 16 14 13 900 12 15 13 14 12 13 15];

% Nearest rank: every answer is a value that occurred. No toolbox needed.
sorted = sort(ms);
rank_of = @(share) max(1, ceil(share * numel(sorted)));

fprintf("mean %.0f ms\n", mean(ms));
for share = [0.5 0.95 0.99]
  fprintf("p%-3d %4d ms\n", 100 * share, sorted(rank_of(share)));
end
% snippet:prints mean 69 ms
% snippet:prints p50    13 ms
% snippet:prints p95   240 ms
% snippet:prints p99   900 ms
