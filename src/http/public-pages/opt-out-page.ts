import { html } from 'hono/html'
import { loadShop } from '../../modules/appointments/load-shop.ts'
import { loadLinkedContact, optOutByLink } from '../../modules/broadcasts/opt-out-by-link.ts'
import {
  readMovedOptOutToken,
  readOptOutToken,
  type OptOutLink,
} from '../../modules/broadcasts/opt-out-link.ts'
import { optOutWords } from '../../i18n/pages/opt-out-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import { answerPage } from './answer-page.ts'
import { pageRoutes, type PageContext } from './page-env.ts'
import { PageRefusal, requireWorkingShop } from './page-refusal.ts'
import { shopIn } from './shown-shop.ts'

/**
 * The page on which a customer stops all messages of a shop, by the link of a broadcast. Opening it changes nothing,
 * because previews and scanners open links too.
 *
 * Spec: Public pages › Stopping messages; Broadcasts › The opt-out link.
 */
export const optOutPages = pageRoutes()
  .get('/:token', async (c) => {
    const linked = await loadLinkedContact(c.var.context.db.kysely, await readLink(c))
    if (linked === null) throw new PageRefusal('not_found')
    const shop = await loadShop(c.var.context.db.kysely, { companyId: linked.company.id })
    requireWorkingShop(shop)
    const shown = shopIn(shop, c.var.language)
    const t = sayIn(optOutWords, c.var.language)
    if (linked.isOptedOut) {
      return answerPage(c, {
        shop: shown,
        title: t('stopped'),
        main: html`<h1>${t('stopped')}</h1>
          <p>${t('stoppedText', { shop: shown.name })}</p>
          <p class="lead">${t('again')}</p>`,
      })
    }
    return answerPage(c, {
      shop: shown,
      title: t('title'),
      main: html`<h1>${t('question', { shop: shown.name })}</h1>
        <p>${t('consequence')}</p>
        <p class="lead">${t('again')}</p>
        <form method="post"><button>${t('act')}</button></form>`,
    })
  })
  .post('/:token', async (c) => {
    const link = await readLink(c)
    await c.var.forms(c)
    const linked = await loadLinkedContact(c.var.context.db.kysely, link)
    if (linked === null) throw new PageRefusal('not_found')
    requireWorkingShop(await loadShop(c.var.context.db.kysely, { companyId: linked.company.id }))
    if ((await optOutByLink(c.var.context, link)) === null) throw new PageRefusal('not_found')
    // A redirect, so that a reload does not send the form again. It names no host: that of the request may be the
    // proxy's, or forged.
    return c.redirect(`${c.req.path}${new URL(c.req.url).search}`, 303)
  })

/** Returns the link that the token encodes. @throws PageRefusal not_found: the same for every invalid token */
async function readLink(c: PageContext): Promise<OptOutLink> {
  const { context } = c.var
  const token = c.req.param('token')!
  const link =
    readOptOutToken(context.keyRing, token) ?? (await readMovedOptOutToken(context, token))
  if (link === null) throw new PageRefusal('not_found')
  return link
}
