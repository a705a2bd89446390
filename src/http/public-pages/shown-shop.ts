import type { ShopRow } from '../../modules/appointments/load-shop.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { pageWords } from '../../i18n/pages/page-words.ts'
import { sayIn } from '../../i18n/write-text.ts'
import type { Shop } from './page-frame.ts'

/** Returns a shop as the head of a page shows it, in the client's language. */
export function shopIn(shop: ShopRow, language: Language): Shop {
  return {
    name: textIn(language, shop.name, shop.nameAr) ?? sayIn(pageWords, language)('aShop'),
    address: textIn(language, shop.address, shop.addressAr),
    colours: { accent: shop.colour, ground: shop.background },
  }
}

/** Returns a merchant's text in a language; without an Arabic text the other one serves both languages. */
export function textIn<Name extends string | null>(
  language: Language,
  name: Name,
  nameAr: string | null,
): Name | string {
  return language === 'ar' && nameAr !== null ? nameAr : name
}
