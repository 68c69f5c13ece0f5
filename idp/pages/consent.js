"use strict";
// Allow can be chosen when the page has been in front, and as it is, for a while: a
// click that was meant for another page finds it dead. A window that stays on top may have
// covered it all the while, which no browser tells. So the time begins anew when the pointer
// has first moved in the page after it was elsewhere, and when the keyboard's focus comes to
// Allow.
(() => {
  let focused = document.hasFocus(), live = false, timer
  let keys = true // used last, and not a pointer
  let inside = false, at // whether the pointer has moved in the page, and where it was
  const allow = () => document.querySelector("main button[value=allow]")
  const tell = () => {
    allow().disabled = false
    allow().setAttribute("aria-disabled", String(!live))
    const status = document.querySelector("main [role=status]")
    status.textContent = live ? status.dataset.ready : status.dataset.wait
  }
  const restart = () => {
    live = false
    clearTimeout(timer)
    if (!allow()) return
    tell()
    if (focused && document.visibilityState === "visible") {
      timer = setTimeout(() => { live = true; tell() }, Number(document.forms[0].dataset.pause))
    }
  }
  for (const type of ["DOMContentLoaded", "pageshow", "resize", "scroll", "visibilitychange"]) addEventListener(type, restart)
  addEventListener("focus", () => { focused = true; restart() })
  addEventListener("blur", () => { focused = false; restart() })
  for (const type of ["blur", "visibilitychange", "pagehide"]) addEventListener(type, () => { inside = at = false })
  for (const type of ["pointermove", "pointerdown", "pointerout"]) {
    addEventListener(type, (event) => {
      if (event.pointerType !== "mouse") return // a finger, or a pen, is in the page only while it touches it
      if (type === "pointerout") {
        if (!event.relatedTarget) inside = at = false
        return
      }
      // One event is not enough: browsers make one up for a page that loads where the pointer
      // is, also beneath another window.
      const now = `${event.screenX} ${event.screenY}`
      if (!inside && (at && at !== now || type === "pointerdown")) {
        inside = true
        restart()
      }
      at = now
    }, true)
  }
  addEventListener("focusin", (event) => { // a pointer that chooses Allow brings it the focus, too
    if (keys && event.target === allow()) restart()
  })
  for (const type of ["pointerdown", "keydown"]) {
    addEventListener(type, () => {
      keys = type === "keydown"
      if (live) return
      focused = true // some embedded browsers do not say so
      restart()
    }, true)
  }
  addEventListener("click", (event) => {
    if (!live && event.target.closest("button[value=allow]")) event.preventDefault()
  }, true)
})()
