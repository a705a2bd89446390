import styles from './people.module.css'

/** The first tags of a contact, and the number of the others. */
export function Tags({ tags, most = 50 }: { tags: readonly string[]; most?: number }) {
  const shown = tags.slice(0, most)
  const rest = tags.slice(most)
  return (
    <span className={styles.tags}>
      {shown.map((tag) => (
        <bdi key={tag} className={styles.tag} title={tag}>
          {tag}
        </bdi>
      ))}
      {rest.length > 0 && (
        <bdi dir="ltr" className={styles.tag} title={rest.join('\n')}>
          +{rest.length}
        </bdi>
      )}
    </span>
  )
}
