%% snippet:doc https://www.erlang.org/doc/system/ref_man_processes.html Processes and monitors
%% snippet:prints [{ok,12},{ok,6},{error,badarith},{ok,3},{ok,2}]
-module(pmap).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([pmap/3]).

%% Maps with at most Limit processes at a time; results keep their order. A
%% crash in a worker becomes an {error, Reason} of that item only.
pmap(Fun, Items, Limit) when Limit > 0 ->
    Jobs = lists:zip(lists:seq(1, length(Items)), Items),
    {Now, Later} = lists:split(min(Limit, length(Jobs)), Jobs),
    collect(Fun, maps:from_list([start(Fun, Job) || Job <- Now]), Later, #{}).

start(Fun, {Index, Item}) ->
    Done = make_ref(),
    {_Pid, Monitor} = spawn_monitor(fun() -> exit({Done, Fun(Item)}) end),
    {Monitor, {Index, Done}}.

collect(_Fun, Running, [], Results) when map_size(Running) =:= 0 ->
    [Result || {_Index, Result} <- lists:sort(maps:to_list(Results))];
collect(Fun, Running, Later, Results) ->
    receive
        {'DOWN', Monitor, process, _, Reason} when is_map_key(Monitor, Running) ->
            {{Index, Done}, Others} = maps:take(Monitor, Running),
            {Started, Rest} = lists:split(min(1, length(Later)), Later),
            Next = maps:from_list([start(Fun, Job) || Job <- Started]),
            collect(Fun, maps:merge(Others, Next), Rest, Results#{Index => result(Done, Reason)})
    end.

result(Done, {Done, Value}) -> {ok, Value};
result(_, {Reason, [{_, _, _, _} | _]}) -> {error, Reason}; % without the stack
result(_, Reason) -> {error, Reason}.
%% snippet:check
main() ->
    logger:set_primary_config(level, none),
    io:format("~p~n", [pmap(fun(N) -> 12 div N end, [1, 2, 0, 4, 6], 2)]),
    [{error, {shutdown, "x"}}] = pmap(fun(X) -> exit({shutdown, X}) end, ["x"], 1),
    [{error, {done, 1}}] = pmap(fun(X) -> exit({done, X}) end, [1], 1).
