import { useWords } from '../words/use-words.tsx'
import { partsWords } from './words.ts'

type Named = {
  name: string | null
  phone?: string | null
  rawPhone?: string | null
  email?: string | null
}

/** Returns a function that names a contact: by the name, else by the phone number, else by the e-mail address. */
export function useContactName(): (contact: Named) => string {
  const t = useWords(partsWords)
  return ({ name, phone, rawPhone, email }) =>
    name ?? phone ?? rawPhone ?? email ?? t('unnamed_contact')
}
