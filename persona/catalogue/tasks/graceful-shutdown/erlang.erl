%% snippet:into Save it as job_queue.erl: erlc job_queue.erl, then erl -noshell -s job_queue main -s init stop
%% snippet:doc https://www.erlang.org/doc/apps/stdlib/gen_server.html#c:terminate/2 gen_server terminate
%% snippet:description Run the jobs still in the queue before a process ends. It traps exits, so that a supervisor's shutdown calls
%% snippet:description `terminate`; the `shutdown` time of its child specification is the deadline.
%% snippet:prints done 1
%% snippet:prints done 2
%% snippet:prints done 3
-module(job_queue).
%% snippet:usage
-export([main/0]).
%% snippet:end
-behaviour(gen_server).
-export([start_link/1, push/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

%% Run handles its own errors: one that got out would end the process.
start_link(Run) -> gen_server:start_link(?MODULE, Run, []).
push(Queue, Job) -> gen_server:cast(Queue, {push, Job}).

%% Without trap_exit a supervisor's shutdown would kill us and skip terminate/2.
init(Run) ->
    process_flag(trap_exit, true),
    {ok, {Run, queue:new()}}.

%% Jobs are only taken in here, so that none waits in the mailbox, where a
%% shutdown that comes after it would leave it behind.
handle_cast({push, Job}, {Run, Jobs}) ->
    self() ! work,
    {noreply, {Run, queue:in(Job, Jobs)}}.

handle_info(work, {Run, Jobs}) ->
    {{value, Job}, Rest} = queue:out(Jobs),
    Run(Job),
    {noreply, {Run, Rest}};
handle_info(_Other, State) -> {noreply, State}. % such as the exit of what a job had started

handle_call(length, _From, {_, Jobs} = State) -> {reply, queue:len(Jobs), State}.

%% Runs within the `shutdown' time of the child specification.
terminate(_Reason, {Run, Jobs}) -> lists:foreach(Run, queue:to_list(Jobs)).
%% snippet:usage
main() ->
    {ok, Queue} = start_link(fun(Job) -> io:format("done ~p~n", [Job]) end),
    [push(Queue, Job) || Job <- [1, 2, 3]],
    gen_server:stop(Queue, shutdown, 5000).
