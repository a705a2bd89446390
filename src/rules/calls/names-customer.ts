import { wordSet } from '../../core/vocabulary/word-set.ts'

const WHO = '(customer|client|contact|user|member|buyer|shopper|caller|sender|my|their|his|her)'
const REACHED_BY = '(phone|mobile|cell|cellphone|msisdn|whats_?app|tel|telephone|e_?mail|mail)'
const KEY = '(ids?|uuid|number|no|num|code|key|ref|reference|identifier)'

const NAMES_CUSTOMER = new RegExp(
  `^(${WHO}_?)?(${REACHED_BY}(_?(${KEY}|address))?|identity|wa_?id)$|^${WHO}(_?${KEY})?$`,
)

const REACH_WORDS =
  wordSet(`phone mobile cell cellphone msisdn whatsapp tel telephone email mail phonenumber
  emailaddress`)
const PEOPLE =
  wordSet(`customer cust client contact user member buyer shopper caller sender guest visitor patient
  your my their his her own holder account`)
const KEYS = new Set(['', 'number', 'no', 'num', 'address', 'id', 'country'])
const WHO_THEY_ARE = wordSet('name fullname id number identity nationalid surname lastname')
/** People who are not the customer, so that an action may ask for their number. */
const OTHERS = wordSet('recipient receiver driver courier shop store branch seller friend gift')
const SPOKEN_OF =
  /(?<!\p{L})(?:(?:the |their |your )?(?:customer|client|caller|guest|visitor|user)(?:'s|’s|s)?|their|your) (?:own |full |mobile |e-?mail )*(?:phone|mobile|e-?mail|name|id|identity|whatsapp)(?!\p{L})|(?:رقم|هاتف|جوال|موبايل|بريد|ايميل|اسم|هوي[ةه])\s(?:\p{L}{2,12}\s)?(?:ال)?(?:عميل|زبون|متصل|زائر|ضيف)/iu

/**
 * Returns whether a parameter's name or description seems to ask who the customer is. The form then warns, because a
 * customer may write another person's data there.
 */
export function seemsToAskForCustomer(parameterName: string, description: string): boolean {
  const words = parameterName.toLowerCase().replace(/\d+/g, '_').split('_')
  const isOfOthers = words.some((word) => OTHERS.has(word))
  // "email_subject" asks for a subject.
  const last = words.findLast((word) => !KEYS.has(word)) ?? ''
  const isReached = REACH_WORDS.has(last)
  const isWho =
    words.some((word) => PEOPLE.has(word)) && words.some((word) => WHO_THEY_ARE.has(word))
  return (!isOfOthers && (isReached || isWho)) || SPOKEN_OF.test(description)
}

/**
 * Returns whether a parameter's name asks who the customer is. A customer could answer with another person's number;
 * the conversation already identifies them. Spec: reading C12.
 */
export function asksForCustomer(parameterName: string): boolean {
  return NAMES_CUSTOMER.test(parameterName)
}
