/** Rate limits and quotas, lifted for tests that send far more at one moment. */
import type { WithPool } from './records.ts'

/**
 * Makes the database forget all requests of hooks, which it counts by minute and hour, and the recipients of
 * the day's templates.
 */
export async function liftAllowances(world: WithPool): Promise<void> {
  await world.service.context.db.pool.query(`
    create function forget() returns trigger language plpgsql
      as $$ begin new.requests := 0; return new; end $$;
    create trigger forget before insert or update on hook_url_count
      for each row execute function forget();
    create trigger forget before insert or update on company_hook_count
      for each row execute function forget();
    create function forget_customer() returns trigger language plpgsql
      as $$ begin new.contact_id := null; return new; end $$;
    create trigger forget_customer before insert on template_send
      for each row execute function forget_customer()`)
}
