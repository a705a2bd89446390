import { TEMPLATE_NAME } from './create-demonstration.ts'
import { STATUS_TEMPLATE_NAME } from './create-order-status.ts'
import { OFFER_TEMPLATE_NAME } from './write-broadcast.ts'

/** The demonstration's templates in the provider's form: Arabic and English, approved. */
export const DEMONSTRATION_TEMPLATES = [
  template('300000000000001', TEMPLATE_NAME, 'ar', {
    body: 'مرحبًا {{1}}، طلبك رقم {{2}} جاهز للاستلام. هل ستمر علينا اليوم؟',
    example: ['سارة', '1043'],
    buttons: ['نعم، اليوم', 'لاحقًا'],
  }),
  template('300000000000002', TEMPLATE_NAME, 'en', {
    body: 'Hello {{1}}, your order {{2}} is ready to collect. Will you come by today?',
    example: ['Sara', '1043'],
    buttons: ['Yes, today', 'Later'],
  }),
  template('300000000000003', STATUS_TEMPLATE_NAME, 'ar', {
    body: 'مرحبًا {{1}}، حالة طلبك رقم {{2}}: {{3}}. شكرًا لك.',
    example: ['سارة', '1043', 'shipped'],
  }),
  template('300000000000004', STATUS_TEMPLATE_NAME, 'en', {
    body: 'Hello {{1}}, your order {{2}} is {{3}}. Thank you.',
    example: ['Sara', '1043', 'shipped'],
  }),
  template('300000000000005', OFFER_TEMPLATE_NAME, 'ar', {
    category: 'MARKETING',
    body: 'مرحبًا {{1}}، خصم 20% على كل الكنب حتى الخميس. لإيقاف هذه الرسائل: {{2}}',
    example: ['سارة', 'https://shop.example/o/1'],
  }),
  template('300000000000006', OFFER_TEMPLATE_NAME, 'en', {
    category: 'MARKETING',
    body: 'Hello {{1}}, 20% off all sofas until Thursday. To stop these messages: {{2}}',
    example: ['Sara', 'https://shop.example/o/1'],
  }),
]

function template(
  id: string,
  name: string,
  language: string,
  text: { body: string; example: string[]; buttons?: string[]; category?: string },
) {
  return {
    id,
    name,
    language,
    status: 'APPROVED',
    category: text.category ?? 'UTILITY',
    parameter_format: 'POSITIONAL',
    components: [
      { type: 'BODY', text: text.body, example: { body_text: [text.example] } },
      ...(text.buttons
        ? [
            {
              type: 'BUTTONS',
              buttons: text.buttons.map((button) => ({ type: 'QUICK_REPLY', text: button })),
            },
          ]
        : []),
    ],
  }
}
