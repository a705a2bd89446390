import type { BusinessNumber } from '../index.ts'

/** The simulated number of the business in tests. */
export const NUMBER = {
  phoneNumberId: '106540352242922',
  businessAccountId: '102290129340398',
  displayPhoneNumber: '15550783881',
  verifiedName: 'Test shop',
  accessToken: 'test-access-token',
  appSecret: 'test-app-secret',
} as const

/** The templates of the business in tests. */
export const TEMPLATES = [
  template('300000000000001', 'order_ready', 'en', {
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
      { type: 'BODY', text: 'Hello {{1}}, order {{2}} is ready.' },
      { type: 'FOOTER', text: 'Test shop' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'I am coming' },
          { type: 'QUICK_REPLY', text: 'Later' },
          { type: 'URL', text: 'Track', url: 'https://example.com/track/{{1}}' },
        ],
      },
    ],
  }),
  template('300000000000002', 'plain', 'ar', { components: [{ type: 'BODY', text: 'طلبك جاهز' }] }),
  template('300000000000003', 'named', 'en', {
    parameter_format: 'NAMED',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Hello {{name}}, look at {{thing}}.' }],
  }),
  template('300000000000004', 'paused', 'en', {
    status: 'PAUSED',
    components: [{ type: 'BODY', text: 'Paused' }],
  }),
  template('300000000000005', 'picture', 'en', {
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Look' },
    ],
  }),
]

type Component = BusinessNumber['templates'][number]['components'][number]

function template(
  id: string,
  name: string,
  language: string,
  rest: {
    status?: string
    category?: string
    parameter_format?: string
    components: Component[]
  },
) {
  const usual = { status: 'APPROVED', category: 'UTILITY', parameter_format: 'POSITIONAL' }
  return { id, name, language, ...usual, ...rest }
}
