import { defineWords } from '../../core/words/define-words.ts'

/** Texts of the frame of every public page. The pages insert and escape the merchant’s texts. */
export const pageWords = defineWords({
  en: {
    otherLanguage: 'العربية',
    aShop: 'The shop',
  },
  ar: {
    otherLanguage: 'English',
    aShop: 'المتجر',
  },
})
