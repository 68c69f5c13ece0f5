// snippet:doc https://angular.dev/guide/di/creating-and-using-services Services
// snippet:about Angular
// snippet:check
import { configure, TestBed } from "./dom.js";
// snippet:prints at once: [x] write, [x] test
// snippet:prints later: [ ] write, [x] test
// snippet:prints left: 1
// snippet:needs Angular 20
// snippet:end
import { computed, inject, Injectable, InjectionToken, signal } from "@angular/core";

export interface Task { readonly id: number; readonly title: string; readonly done: boolean }
export interface TaskApi { save(id: number, done: boolean): Promise<void> }
export const TASK_API = new InjectionToken<TaskApi>("TaskApi");

@Injectable({ providedIn: "root" })
export class TaskStore {
  private readonly api = inject(TASK_API);
  private readonly state = signal<readonly Task[]>([]);

  readonly tasks = this.state.asReadonly();
  readonly left = computed(() => this.state().filter((task) => !task.done).length);

  load(tasks: readonly Task[]) { this.state.set(tasks); }

  async setDone(id: number, done: boolean) {
    this.change(id, done);
    try {
      await this.api.save(id, done);
    } catch (error) {
      this.change(id, !done); // only this one: others may have changed meanwhile
      throw error;
    }
  }

  private change(id: number, done: boolean) {
    this.state.update((tasks) => tasks.map((task) => (task.id === id ? { ...task, done } : task)));
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
process.exit();
