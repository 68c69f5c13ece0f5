%% snippet:doc https://www.erlang.org/doc/system/ref_man_processes.html Processes and monitors
%% snippet:prints {ok,42}
%% snippet:prints timeout
%% snippet:prints {error,broken}
-module(deadline).
%% snippet:check
-export([main/0]).
%% snippet:end
-export([run/2]).

%% Runs Fun in a process of its own and waits at most Ms milliseconds. The
%% worker is killed on timeout; a late answer is flushed from the mailbox.
-spec run(fun(() -> T), timeout()) -> {ok, T} | timeout | {error, term()}.
run(Fun, Ms) ->
    Tag = erlang:make_ref(),
    {Worker, Monitor} = spawn_monitor(fun() -> exit({Tag, Fun()}) end),
    receive
        {'DOWN', Monitor, process, Worker, {Tag, Result}} -> {ok, Result};
        {'DOWN', Monitor, process, Worker, Reason} -> {error, Reason}
    after Ms ->
        exit(Worker, kill),
        erlang:demonitor(Monitor, [flush]),
        timeout
    end.
%% snippet:check
main() ->
    io:format("~p~n", [run(fun() -> 42 end, 10_000)]),
    io:format("~p~n", [run(fun() -> timer:sleep(5000) end, 30)]),
    io:format("~p~n", [run(fun() -> exit(broken) end, 10_000)]).
