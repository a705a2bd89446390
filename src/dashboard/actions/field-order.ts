/** Help stands below a field, and what is wrong with it above that. */
export const FIELD_ORDER: ('label' | 'input' | 'error' | 'description')[] = [
  'label',
  'input',
  'error',
  'description',
]
