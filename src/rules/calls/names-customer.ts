const WHO = '(customer|client|contact|user|member|buyer|shopper|caller|sender|my|their|his|her)'
const REACHED_BY = '(phone|mobile|cell|cellphone|msisdn|whats_?app|tel|telephone|e_?mail|mail)'
const KEY = '(ids?|uuid|number|no|num|code|key|ref|reference|identifier)'

const NAMES_CUSTOMER = new RegExp(
  `^(${WHO}_?)?(${REACHED_BY}(_?(${KEY}|address))?|identity|wa_?id)$|^${WHO}(_?${KEY})?$`,
)

/**
 * Whether a parameter's name asks who the customer is. A customer could then give somebody else's
 * number; who they are is known from the conversation. Spec: reading C12.
 */
export function namesCustomer(parameterName: string): boolean {
  return NAMES_CUSTOMER.test(parameterName)
}
