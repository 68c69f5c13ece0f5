%% snippet:doc https://www.erlang.org/doc/system/ref_man_processes.html Processes and monitors
%% snippet:prints [{ok,12},{ok,6},{error,badarith},{ok,3},{ok,2}]
-module(pmap).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([pmap/3]).

%% Maps with at most Limit processes at a time; results keep their order. A
%% crash in a worker becomes an {error, Reason} of that item only.
pmap(Fun, Items, Limit) ->
    {Now, Later} = lists:split(min(Limit, length(Items)), Items),
    Running = [start(Fun, Item) || Item <- Now],
    collect(Fun, Running, Later, []).

start(Fun, Item) ->
    {_Pid, Monitor} = spawn_monitor(fun() -> exit({done, Fun(Item)}) end),
    Monitor.

collect(_Fun, [], [], Results) ->
    lists:reverse(Results);
collect(Fun, [Monitor | Running], Later, Results) ->
    Result = receive
        {'DOWN', Monitor, process, _, {done, Value}} -> {ok, Value};
        {'DOWN', Monitor, process, _, {Reason, _Stack}} -> {error, Reason};
        {'DOWN', Monitor, process, _, Reason} -> {error, Reason}
    end,
    case Later of
        [Item | Rest] -> collect(Fun, Running ++ [start(Fun, Item)], Rest, [Result | Results]);
        [] -> collect(Fun, Running, [], [Result | Results])
    end.
%% snippet:check
main() ->
    logger:set_primary_config(level, none),
    io:format("~p~n", [pmap(fun(N) -> 12 div N end, [1, 2, 0, 4, 6], 2)]).
