(() => {
  const main = document.getElementById("main");
  const busy = () => document.hidden || main.matches(":has(input:focus, select:focus, textarea:focus, button:hover, button:active)")
    || getSelection().toString() !== "" || [...main.querySelectorAll("textarea")].some((t) => t.value !== t.defaultValue);
  history.replaceState(null, "", location.pathname);
  const look = async () => {
    if (busy()) return;
    try {
      const page = new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), "text/html");
      const fresh = page.getElementById("main");
      if (!fresh || busy()) return;
      const told = main.querySelector(".notice");
      if (told && !fresh.querySelector(".notice")) fresh.querySelector("h1").after(told.cloneNode(true));
      if (fresh.innerHTML !== main.innerHTML) main.innerHTML = fresh.innerHTML;
    } catch { /* the sandbox is being started again */ }
  };
  setInterval(look, 2000);
})();
