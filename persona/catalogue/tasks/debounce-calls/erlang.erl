%% snippet:doc https://www.erlang.org/doc/apps/stdlib/gen_server.html gen_server
%% snippet:prints search erlang
%% snippet:prints search otp
-module(debouncer).
%% snippet:check
-export([main/0]).
%% snippet:end
-behaviour(gen_server).
-export([start_link/2, push/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

%% Calls Action with the latest value once nothing new has come for QuietMs.
start_link(QuietMs, Action) -> gen_server:start_link(?MODULE, {QuietMs, Action}, []).
push(Pid, Value) -> gen_server:cast(Pid, {push, Value}).

init({QuietMs, Action}) ->
    {ok, #{quiet => QuietMs, action => Action, latest => none}}.

%% The last element is a timeout: any message before it starts the wait anew.
handle_cast({push, Value}, #{quiet := QuietMs} = State) ->
    {noreply, State#{latest := {value, Value}}, QuietMs}.

handle_info(timeout, #{action := Action, latest := {value, Value}} = State) ->
    Action(Value),
    {noreply, State#{latest := none}}.

handle_call(_Request, _From, State) ->
    {reply, {error, unknown_call}, State}.
%% snippet:check
main() ->
    Main = self(),
    {ok, Pid} = start_link(100, fun(Text) -> Main ! {search, Text} end),
    Burst = fun(Texts) ->
        [push(Pid, Text) || Text <- Texts],
        receive {search, Text} -> io:format("search ~s~n", [Text]) end
    end,
    Burst(["e", "er", "erlang"]),
    Burst(["otp"]).
