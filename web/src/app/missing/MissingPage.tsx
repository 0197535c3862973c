// For an address at which there is nothing.
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote } from '../../ui/notices.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';

export function MissingPage() {
  return (
    <div className="mx-auto flex min-h-dvh max-w-110 flex-col gap-8 px-4 py-6">
      <header>
        <Wordmark />
      </header>
      <main>
        <EmptyNote title="Page not found">
          <p className="mb-4">Check the address; it may be incomplete or mistyped.</p>
          <ButtonLink href="/">Go to homepage</ButtonLink>
        </EmptyNote>
      </main>
    </div>
  );
}
