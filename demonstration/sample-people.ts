/**
 * Customers of the demonstration's shop before the first start, so that lists are not empty. Their messages have times
 * in minutes before the start, and the first customer to write is first. Their numbers are reserved for fiction.
 */
import type { LeadStatus, LeadTemperature } from '../src/core/vocabulary/leads.ts'

/** A message of a conversation. */
export type SampleWords = { minutesAgo: number; by: 'customer' | 'flow' | 'staff'; text: string }

/** A customer with their conversation. */
export type SamplePerson = {
  /** Digits without +. */
  number: string
  name: string
  language: 'ar' | 'en'
  email?: string
  tags: string[]
  fields: Record<string, string>
  said: [SampleWords, ...SampleWords[]]
  /** The last message opted the customer out. */
  isOptedOut?: true
  isResolved?: true
  /** The reason for staff, if the last message handed the conversation over. */
  handedOver?: string
  /** The lead that the flow of offers created. */
  lead?: { status: LeadStatus; temperature: LeadTemperature; score: number; summary: string }
}

/** The custom field that the sample people have. */
export const SAMPLE_FIELD = { key: 'city', label: 'City' } as const

const ASKED = 'أهلًا بك في متجرنا. ماذا تريد؟ ١ طقم كامل، ٢ كنبة واحدة'

/** The sample people in the order of their first messages. */
export const SAMPLE_PEOPLE: readonly SamplePerson[] = [
  {
    number: '12025550163',
    name: 'منى إبراهيم',
    language: 'ar',
    tags: [],
    fields: { city: 'القاهرة' },
    said: [
      { minutesAgo: 3_000, by: 'customer', text: 'متى تفتحون؟' },
      { minutesAgo: 2_999, by: 'staff', text: 'من الأحد إلى الخميس، من التاسعة صباحًا.' },
      { minutesAgo: 2_900, by: 'customer', text: 'STOP' },
    ],
    isOptedOut: true,
  },
  {
    number: '12025550164',
    name: 'Jana Farouk',
    language: 'en',
    email: 'jana@example.com',
    tags: ['vip', 'wholesale'],
    fields: {},
    said: [
      { minutesAgo: 1_500, by: 'customer', text: 'Do you wrap presents?' },
      { minutesAgo: 1_495, by: 'staff', text: 'We do, for free. Write it below your order.' },
      { minutesAgo: 1_490, by: 'customer', text: 'Wonderful, thanks!' },
    ],
    isResolved: true,
  },
  {
    number: '12025550161',
    name: 'ريم القحطاني',
    language: 'ar',
    tags: ['new'],
    fields: { city: 'جدة' },
    said: [
      { minutesAgo: 200, by: 'customer', text: 'أبغى عرض سعر' },
      { minutesAgo: 199, by: 'flow', text: ASKED },
      { minutesAgo: 190, by: 'customer', text: '٢' },
      { minutesAgo: 189, by: 'flow', text: 'شكرًا لك، نرسل لك الصور هنا.' },
    ],
    lead: { status: 'open', temperature: 'warm', score: 40, summary: 'تريد كنبة واحدة' },
  },
  {
    number: '12025550160',
    name: 'ليلى حسن',
    language: 'ar',
    email: 'layla@example.com',
    tags: ['vip'],
    fields: { city: 'الرياض' },
    said: [
      { minutesAgo: 95, by: 'customer', text: 'السلام عليكم، عندكم عرض سعر على الكنب؟' },
      { minutesAgo: 94, by: 'flow', text: ASKED },
      { minutesAgo: 90, by: 'customer', text: '١' },
      { minutesAgo: 89, by: 'flow', text: 'شكرًا لك، سيكلمك أحد زملائنا اليوم.' },
    ],
    handedOver: 'تريد طقمًا كاملًا',
    lead: { status: 'qualified', temperature: 'hot', score: 85, summary: 'تريد طقمًا كاملًا' },
  },
  {
    number: '12025550162',
    name: 'Tariq Aziz',
    language: 'en',
    tags: ['wholesale'],
    fields: { city: 'Dammam' },
    said: [
      { minutesAgo: 35, by: 'customer', text: 'My delivery came without the legs of the table.' },
      { minutesAgo: 34, by: 'flow', text: 'Thank you. A colleague will answer you here.' },
      { minutesAgo: 20, by: 'customer', text: 'Is anybody there?' },
    ],
    handedOver: 'About: other.',
  },
]
