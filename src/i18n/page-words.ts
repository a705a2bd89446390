/** Texts of the public pages. The pages insert and escape the merchant's texts. */
import type { Language } from '../core/vocabulary/hooks.ts'
import { AR_PAGES } from './pages/ar.ts'
import { EN_PAGES } from './pages/en.ts'
import type { PageWords } from './pages/shape.ts'

export const PAGE_WORDS: Readonly<Record<Language, PageWords>> = { en: EN_PAGES, ar: AR_PAGES }
