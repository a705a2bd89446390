import { expect, test } from 'vitest'
import { scriptOf } from './reply-script.ts'

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
])('%j is written in %s', (text, script) => {
  expect(scriptOf(text)).toBe(script)
})
