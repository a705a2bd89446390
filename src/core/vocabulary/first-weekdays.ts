import { wordSet } from './word-set.ts'

/** Time zones whose weeks begin on Saturday, by the Unicode CLDR of their countries. */
export const SATURDAY_ZONES =
  wordSet(`Africa/Algiers Africa/Cairo Africa/Djibouti Africa/Khartoum Africa/Tripoli Asia/Amman
  Asia/Baghdad Asia/Bahrain Asia/Damascus Asia/Kabul Asia/Kuwait Asia/Muscat Asia/Qatar
  Asia/Tehran`)

/** Time zones outside of Europe whose weeks begin on Monday, by the same source. */
export const MONDAY_ZONES =
  wordSet(`Africa/Casablanca Africa/Lagos Africa/Nouakchott Africa/Tunis Asia/Almaty Asia/Baku
  Asia/Beirut Asia/Dubai Asia/Istanbul Asia/Kuala_Lumpur Asia/Nicosia Asia/Tashkent
  Asia/Yerevan`)
