// snippet:doc https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Classes/Private_elements Private elements
/** Undo and redo for any editor whose state is never changed in place. */
export class History {
  #past = [];
  #future = [];

  constructor(present, limit = 100) {
    this.present = present;
    this.limit = limit;
  }

  commit(next) {
    if (Object.is(next, this.present)) return;
    this.#past.push(this.present);
    if (this.#past.length > this.limit) this.#past.shift();
    this.#future = []; // a new edit ends the branch that was undone
    this.present = next;
  }

  undo = () => this.#move(this.#past, this.#future);
  redo = () => this.#move(this.#future, this.#past);

  #move(from, to) {
    if (from.length > 0) {
      to.push(this.present);
      this.present = from.pop();
    }
    return this.present;
  }
}
// snippet:check
const text = new History("");
["h", "hi", "hi!"].forEach((value) => text.commit(value));
console.log(text.undo(), text.undo(), text.redo());
text.commit("hi?");
console.log(text.redo(), text.undo());
// snippet:prints hi h hi
// snippet:prints hi? hi
