import styles from './people.module.css'
import { phoneGroups } from './phone-groups.ts'

/** A phone number in groups. The gaps are drawn by CSS, so that the number is copied without spaces. */
export function Phone({ phone }: { phone: string }) {
  return (
    <bdi dir="ltr" className={styles.phone}>
      {phoneGroups(phone).map((group, at) => (
        <span key={at}>{group}</span>
      ))}
    </bdi>
  )
}
