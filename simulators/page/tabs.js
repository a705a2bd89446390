/* The providers that are simulated here, shown as tabs if there are several. */
const { tabs } = await fetch('/simulator/api/tabs').then((response) => response.json())
const nav = document.getElementById('tabs')
const here = location.pathname.replace(/\/$/, '')
const links = tabs.map(({ path, title }) => {
  const link = document.createElement('a')
  link.href = path
  link.textContent = title
  if (path === here) link.setAttribute('aria-current', 'page')
  return link
})
nav.replaceChildren(...links)
nav.hidden = links.length < 2
