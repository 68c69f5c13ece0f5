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
    {ok, #{quiet => QuietMs, action => Action, timer => none}}.

handle_cast({push, Value}, #{quiet := QuietMs} = State) ->
    {noreply, State#{timer := erlang:start_timer(QuietMs, self(), Value)}}.

%% Only the last timer counts. (A timeout in the reply of a callback would not
%% do: any other message, a call say, takes it away.)
handle_info({timeout, Timer, Value}, #{timer := Timer, action := Action} = State) ->
    Action(Value),
    {noreply, State};
handle_info(_Earlier, State) ->
    {noreply, State}.

handle_call(_Request, _From, State) ->
    {reply, {error, unknown_call}, State}.
%% snippet:check
main() ->
    Main = self(),
    {ok, Pid} = start_link(100, fun(Text) -> Main ! {search, Text} end),
    Burst = fun(Texts) ->
        [push(Pid, Text) || Text <- Texts],
        {error, unknown_call} = gen_server:call(Pid, any),
        receive {search, Text} -> io:format("search ~s~n", [Text]) end
    end,
    Burst(["e", "er", "erlang"]),
    Burst(["otp"]).
