// snippet:doc https://angular.dev/guide/di/creating-and-using-services Services
// snippet:about Angular
// snippet:check
import { configure, TestBed } from "./dom.js";
// snippet:prints at once: [x] write, [x] test
// snippet:prints later: [ ] write, [x] test
// snippet:prints left: 1
// snippet:prints done already: [ ] write, [x] test
// snippet:prints changed again: rejected: [x] write, [ ] test
// snippet:prints saved: [ ] write, [ ] test
// snippet:needs Angular 20
// snippet:end
import { computed, inject, Injectable, InjectionToken, signal } from "@angular/core";

export interface Task { readonly id: number; readonly title: string; readonly done: boolean }
export interface TaskApi { save(id: number, done: boolean): Promise<void> }
export const TASK_API = new InjectionToken<TaskApi>("TaskApi"); // provided by your application

@Injectable({ providedIn: "root" })
export class TaskStore {
  private readonly api = inject(TASK_API);
  private readonly state = signal<readonly Task[]>([]);
  private readonly saving = new Set<number>();
  readonly tasks = this.state.asReadonly();
  readonly left = computed(() => this.state().filter((task) => !task.done).length);

  load(tasks: readonly Task[]) { this.state.set([...tasks]); }

  async setDone(id: number, done: boolean) {
    const before = this.state().find((task) => task.id === id);
    if (this.saving.has(id)) throw new Error("its last change is not saved yet");
    if (before === undefined || before.done === done) return;
    const after = { ...before, done };
    this.saving.add(id);
    this.replace(before, after);
    try {
      await this.api.save(id, done);
    } catch (error) {
      this.replace(after, before);
      throw error;
    } finally { this.saving.delete(id); }
  }

  private replace(old: Task, next: Task) {
    this.state.update((tasks) => tasks.map((task) => (task === old ? next : task)));
  }
}

// snippet:check
configure({ provide: TASK_API, useValue: { save: (id: number) => id === 1 ? Promise.reject(new Error("503")) : Promise.resolve() } });
const store = TestBed.inject(TaskStore);
store.load(["write", "test"].map((title, i) => ({ id: i + 1, title, done: false })));
const show = (when: string) => console.log(`${when}: ${store.tasks().map((task) => `[${task.done ? "x" : " "}] ${task.title}`).join(", ")}`);
const saving = [store.setDone(1, true), store.setDone(2, true)];
show("at once");
await Promise.allSettled(saving);
show("later");
console.log(`left: ${store.left()}`);
const api = TestBed.inject(TASK_API);
api.save = () => Promise.reject(new Error("503"));
await Promise.allSettled([store.setDone(2, true)]);
show("done already");
store.load([{ id: 1, title: "write", done: true }, { id: 2, title: "test", done: false }]);
api.save = () => new Promise((_, refuse) => setTimeout(refuse, 10));
const refused = store.setDone(1, false);
const [again] = await Promise.allSettled([store.setDone(1, true)]);
await Promise.allSettled([refused]);
show(`changed again: ${again.status}`);
api.save = () => Promise.resolve();
await store.setDone(1, false);
show("saved");
process.exit();
