import type { ShopRow } from '../../modules/appointments/load-shop.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { PAGE_WORDS } from '../../i18n/page-words.ts'
import type { Shop } from './page-frame.ts'

/** A shop as the head of a page shows it, in the language of who asks. */
export function shopIn(shop: ShopRow, language: Language): Shop {
  return {
    name: named(language, shop.name, shop.nameAr) ?? PAGE_WORDS[language].aShop,
    address: named(language, shop.address, shop.addressAr),
    colours: { accent: shop.colour, ground: shop.background },
  }
}

/** What has a name for each language, or one for both. */
export function named<Name extends string | null>(
  language: Language,
  name: Name,
  nameAr: string | null,
): Name | string {
  return language === 'ar' && nameAr !== null ? nameAr : name
}
