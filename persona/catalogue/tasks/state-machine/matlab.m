% snippet:description The states and events of an oven, and every allowed step between them, in a map. An event that the current
% snippet:description state does not allow is reported and changes nothing.
% snippet:doc https://www.mathworks.com/help/matlab/ref/containers.map.html containers.Map
next = containers.Map();
next('idle/start')    = 'heating';
next('heating/ready') = 'holding';
next('holding/done')  = 'idle';
next('heating/fault') = 'off';
next('holding/fault') = 'off';

state = 'idle';
for event = {'start', 'ready', 'start', 'fault'}
  key = [state '/' event{1}]; % char vectors: [ ] does not join strings in double quotes
  if next.isKey(key)
    state = next(key);
    fprintf("%-6s -> %s\n", event{1}, state);
  else
    fprintf("%-6s is not possible while %s\n", event{1}, state);
  end
end
% snippet:prints start  -> heating
% snippet:prints ready  -> holding
% snippet:prints start  is not possible while holding
% snippet:prints fault  -> off
