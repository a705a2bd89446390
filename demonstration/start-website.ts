/** The website of the demonstration's shop: a page of another origin than the service, with its chat and its form. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { html, raw } from 'hono/html'
import { credentialsContext } from '../src/modules/channels/load-channel.ts'
import type { Context } from '../src/infra/context.ts'
import { transaction } from '../src/infra/database/transaction.ts'
import { SITE_LIMITS } from '../src/core/limits/visitors.ts'
import type { KeyRing } from '../src/infra/secrets/key-ring.ts'

/** The running website. */
export type Website = { url: string; close(): Promise<void> }

type Deps = Pick<Context, 'db' | 'ids' | 'clock'> & { keyRing: KeyRing; publicUrl: string }

/** The channels of the website, with fixed ids, so that a later start finds them. */
const CHANNELS = [
  { id: 'de300000-0000-4000-8000-000000000041', type: 'web_widget', name: 'Chat on the website' },
  { id: 'de300000-0000-4000-8000-000000000042', type: 'website', name: 'Form on the website' },
] as const

/**
 * Starts the website on this machine only, at the port or, if that is in use, at any free one. Allows its origin to
 * embed the chat and the form. A channel that a member has deleted stays deleted.
 */
export async function startWebsite(
  deps: Deps,
  { companyId, port }: { companyId: string; port: number },
): Promise<Website> {
  let keys: Record<string, string> = {}
  const server = createServer((request, response) => {
    const language = /[?&]lang=ar\b/.test(request.url ?? '') ? 'ar' : 'en'
    void Promise.resolve(writePage(deps.publicUrl, keys, language)).then((page) => {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      response.end(page.toString())
    })
  })
  const listening = (at: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(at, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })
  await listening(port).catch(() => listening(0))
  const { port: taken } = server.address() as AddressInfo
  const origins = [`http://127.0.0.1:${taken}`, `http://localhost:${taken}`]
  keys = await writeChannels(deps, companyId, origins)
  return {
    url: origins[0]!,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Creates the channels unless they were created before, and allows the origins to embed them. Returns the keys of the
 * existing ones by type.
 */
async function writeChannels(
  { db, ids, clock, keyRing }: Deps,
  companyId: string,
  origins: string[],
): Promise<Record<string, string>> {
  const now = clock.now()
  const times = { createdAt: now, updatedAt: now }
  return transaction(db, async (tx) => {
    for (const { id, type, name } of CHANNELS) {
      const credentials = keyRing.encrypt('{}', credentialsContext(id, companyId))
      const providerRoute = ids.token(SITE_LIMITS.keyBytes)
      await tx
        .insertInto('channel')
        .values({
          id,
          companyId,
          type,
          name,
          providerRoute,
          credentials,
          isConnected: true,
          ...times,
        })
        .onConflict((known) => known.column('id').doNothing())
        .execute()
      await tx
        .insertInto('site')
        .values({ channelId: id, companyId, origins, ...times })
        .onConflict((known) => known.column('channelId').doUpdateSet({ origins, updatedAt: now }))
        .execute()
    }
    const rows = await tx
      .selectFrom('channel')
      .select(['type', 'providerRoute'])
      .where(
        'id',
        'in',
        CHANNELS.map(({ id }) => id),
      )
      .where('deletedAt', 'is', null)
      .execute()
    return Object.fromEntries(rows.map(({ type, providerRoute }) => [type, providerRoute]))
  })
}

const WORDS = {
  en: {
    title: 'Demonstration shop',
    lead: 'A page of the shop’s own, at another origin than the service. Write in the chat, or send the form: it arrives in the inbox.',
    sofa: 'Sofa for three, oak and linen',
    price: 'SAR 2,450',
    form: 'Contact form',
    other: 'العربية',
    otherHref: '?lang=ar',
  },
  ar: {
    title: 'متجر التجربة',
    lead: 'صفحة من موقع المتجر نفسه، خارج لوحة التحكم. اكتب في الدردشة أو أرسل النموذج، وستظهر رسالتك في المحادثات.',
    sofa: 'أريكة بثلاثة مقاعد، بلوط وكتان',
    price: '2,450 ر.س',
    form: 'نموذج التواصل',
    other: 'English',
    otherHref: '?lang=en',
  },
} as const

const STYLE = `body{margin:0;background:#fbf7f0;color:#2b211a;font:17px/1.6 Georgia,"Noto Naskh Arabic",serif}
main{max-width:720px;margin:0 auto;padding:32px 20px 120px}
a{color:#7a3b12}h1{margin:0 0 8px}.card{background:#fff;border:1px solid #e4d8c8;border-radius:12px;padding:20px;margin:24px 0}
iframe{border:0;width:100%;height:660px}`

function writePage(
  publicUrl: string,
  { web_widget: widget, website }: Record<string, string>,
  language: 'en' | 'ar',
) {
  const words = WORDS[language]
  return html`<!doctype html>
    <html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${words.title}</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>
          <p><a href="${words.otherHref}">${words.other}</a></p>
          <h1>${words.title}</h1>
          <p>${words.lead}</p>
          <div class="card">
            <strong>${words.sofa}</strong>
            <p>${words.price}</p>
          </div>
          ${
            website
              ? html`<iframe
                  src="${publicUrl}/website/v1/${website}/form?lang=${language}"
                  title="${words.form}"
                ></iframe>`
              : ''
          }
        </main>
        ${
          widget
            ? html`<script
                async
                src="${publicUrl}/widget/v1/loader.js"
                data-widget="${widget}"
              ></script>`
            : ''
        }
      </body>
    </html> `
}
