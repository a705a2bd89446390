import { TEMPLATE_NAME } from './create-demonstration.ts'

/** The demonstration's template as the provider holds it: Arabic and English, approved. */
export const DEMONSTRATION_TEMPLATES = [
  template('300000000000001', 'ar', {
    body: 'مرحباً {{1}}، طلبك رقم {{2}} جاهز للاستلام. هل ستمر علينا اليوم؟',
    example: ['سارة', '1043'],
    buttons: ['نعم، اليوم', 'لاحقاً'],
  }),
  template('300000000000002', 'en', {
    body: 'Hello {{1}}, your order {{2}} is ready to collect. Will you come by today?',
    example: ['Sara', '1043'],
    buttons: ['Yes, today', 'Later'],
  }),
]

function template(
  id: string,
  language: string,
  text: { body: string; example: string[]; buttons: string[] },
) {
  return {
    id,
    name: TEMPLATE_NAME,
    language,
    status: 'APPROVED',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components: [
      { type: 'BODY', text: text.body, example: { body_text: [text.example] } },
      {
        type: 'BUTTONS',
        buttons: text.buttons.map((button) => ({ type: 'QUICK_REPLY', text: button })),
      },
    ],
  }
}
