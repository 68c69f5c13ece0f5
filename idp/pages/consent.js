"use strict";
// Allow can be chosen when the page has been in front, and as it is, for a while: a
// click that was meant for another page finds it dead.
(() => {
  let focused = document.hasFocus(), live = false, timer
  const allow = () => document.querySelector("button[value=allow]")
  const tell = () => {
    allow().disabled = false
    allow().setAttribute("aria-disabled", String(!live))
    document.querySelector("[role=status]").textContent = live ?
      "You can choose Allow." : "Please read this page. You can choose Allow in a moment."
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
  for (const type of ["pointerdown", "keydown"]) {
    addEventListener(type, () => {
      if (live) return
      focused = true // some embedded browsers do not say so
      restart()
    }, true)
  }
  addEventListener("click", (event) => {
    if (!live && event.target.closest("button[value=allow]")) event.preventDefault()
  }, true)
})()
