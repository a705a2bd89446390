import { html } from 'hono/html'
import type { ShopRow } from '../../modules/appointments/load-shop.ts'
import { withLatinDigits } from '../../rules/text/latin-digits.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { appointmentWords } from '../../i18n/pages/appointment-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import type { Markup } from './page-frame.ts'

/** Returns a link that calls the shop; empty where the shop has given no number. */
export function writeCall(language: Language, { phone }: Pick<ShopRow, 'phone'>): Markup | '' {
  if (phone === null) return ''
  const dialled = withLatinDigits(phone).replaceAll(/[^\d+]/g, '')
  return html`<p>
    <a class="button" href="tel:${dialled}"
      >${sayIn(appointmentWords, language)('call')} <bdi dir="ltr">${phone}</bdi></a
    >
  </p>`
}
