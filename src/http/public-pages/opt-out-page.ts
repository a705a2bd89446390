import { html } from 'hono/html'
import { loadShop } from '../../modules/appointments/load-shop.ts'
import { loadLinkedContact, optOutByLink } from '../../modules/broadcasts/opt-out-by-link.ts'
import { readOptOutToken, type OptOutLink } from '../../modules/broadcasts/opt-out-link.ts'
import { PAGE_WORDS } from '../../i18n/page-words.ts'
import { answerPage } from './answer-page.ts'
import { pageRoutes, type PageContext } from './page-env.ts'
import { PageRefusal } from './page-refusal.ts'
import { shopIn } from './shown-shop.ts'

/**
 * A customer stops all messages of a shop, by the link of a broadcast. Looking at the page changes nothing:
 * previews and scanners look too.
 *
 * Spec: Public pages › Stopping messages; Broadcasts › The opt-out link.
 */
export const optOutPages = pageRoutes()
  .get('/:token', async (c) => {
    const linked = await loadLinkedContact(c.var.context.db.kysely, readLink(c))
    if (linked === null) throw new PageRefusal('not_found')
    const shop = await loadShop(c.var.context.db.kysely, { companyId: linked.company.id })
    const shown = shopIn(shop, c.var.language)
    const words = PAGE_WORDS[c.var.language].optOut
    if (linked.isOptedOut) {
      return answerPage(c, {
        shop: shown,
        title: words.stopped,
        main: html`<h1>${words.stopped}</h1>
          <p>${words.stoppedText(shown.name)}</p>
          <p class="lead">${words.again}</p>`,
      })
    }
    return answerPage(c, {
      shop: shown,
      title: words.title,
      main: html`<h1>${words.question(shown.name)}</h1>
        <p>${words.consequence}</p>
        <p class="lead">${words.again}</p>
        <form method="post"><button>${words.act}</button></form>`,
    })
  })
  .post('/:token', async (c) => {
    const link = readLink(c)
    await c.var.forms(c)
    if ((await optOutByLink(c.var.context, link)) === null) throw new PageRefusal('not_found')
    // What a reload of the next page sends is no form. Without a host: what stands in the request is the
    // proxy's, or whatever was put there.
    return c.redirect(`${c.req.path}${new URL(c.req.url).search}`, 303)
  })

/** @throws PageRefusal not_found: the same for every token that is not ours, before anything is asked. */
function readLink(c: PageContext): OptOutLink {
  const link = readOptOutToken(c.var.context.keyRing, c.req.param('token')!)
  if (link === null) throw new PageRefusal('not_found')
  return link
}
