import type { ShopRow } from '../../modules/appointments/load-shop.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { pageWords } from '../../i18n/pages/page-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import { textIn } from '../../rules/text/text-in.ts'
import type { Shop } from './page-frame.ts'

/** Returns the name, address and colours with which a public page shows a shop, in the page's language. */
export function shopIn(shop: ShopRow, language: Language): Shop {
  return {
    name: textIn(language, shop.name, shop.nameAr) ?? sayIn(pageWords, language)('aShop'),
    address: textIn(language, shop.address, shop.addressAr),
    colours: { accent: shop.colour, ground: shop.background },
  }
}
