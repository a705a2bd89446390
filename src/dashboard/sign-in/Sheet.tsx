import type { ReactNode } from 'react'
import { LanguageSwitch } from '../frame/LanguageSwitch.tsx'
import { Logo } from '../parts/Logo.tsx'
import styles from './sign-in.module.css'

/** The frame of pages before the sign-in: a sheet in the middle. */
export function Sheet({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <div className={styles.head}>
          <Logo size={32} />
          <LanguageSwitch />
        </div>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </div>
    </main>
  )
}
