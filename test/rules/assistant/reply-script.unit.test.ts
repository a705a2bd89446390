import { expect, test } from 'vitest'
import { isArabizi, scriptOf } from '../../../src/rules/assistant/reply-script.ts'

test.each([
  ['السلام عليكم', 'ar'],
  ['Hello', 'latin'],
  ['مقاس XL من Nike متوفر الآن', 'ar'],
  ['Your order from متجر is on its way', 'latin'],
  ['طلبك هنا https://shop.example/orders/a-very-long-name-of-a-page', 'ar'],
  ['راسلنا على customer-service@shop.example', 'ar'],
  ['ab اب', 'ar'],
  ['你好，您的订单已发货', 'other'],
  ['Здравствуйте', 'other'],
  ['گزارش پرسش', 'ar'],
  ['١٢٣ 456', null],
  ['👍 !', null],
  ['', null],
])('%j is written in %s', (text, script) => expect(scriptOf(text)).toBe(script))

const ARABIZI = ['mar7aba', 'Ma3lesh, fein el order?', '3ayez 7agty delwa2ty', 'sho el a5bar']
test.each(ARABIZI)('%j is Arabic in Latin letters', (text) => expect(isArabizi(text)).toBe(true))

test.each([
  'Cancel my appointment AB7CDEFG',
  'Where is order SA3XK and XY5AB?',
  'B3STBUY 2PACK 5PACK',
  'hello',
  'at 3pm, 2nd floor',
])('%j is not', (text) => expect(isArabizi(text)).toBe(false))
