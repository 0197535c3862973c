// The refusals sentences in German; en/refusals.ts says what each is for.
import type { refusals as english } from '../en/refusals.ts';

export const refusals: Record<keyof typeof english, string> = {
  'not-connected': 'Verbinde zuerst deine Wallet. Das dauert eine Minute.',
  'not-understood': 'Das habe ich leider nicht verstanden. Versuch {$tip} oder {$help}.',

  'refusal-sender_receive_only': 'Du kannst empfangen, aber noch nichts senden. Leg zuerst ein Limit fest.',
  'refusal-sender_disconnected':
    'Dieses Konto kann nichts mehr senden, deshalb wurde dir nichts abgebucht. Verbinde es neu, um zu senden.',
  'refusal-sender_no_wallet': 'Du hast für dieses Netzwerk noch keine Wallet.',
  'refusal-sender_not_on_chain':
    'Deine Smart Wallet ist nur auf {$where} eingerichtet, deshalb kann ich auf {$chain} nichts senden.',
  'refusal-sender_paused': 'Deine Ausgaben sind aus. Nur deine Wallet kann sie wieder einschalten.',
  'refusal-expired':
    'Das hat zu lange gedauert und wurde nicht gesendet. Dir wurde nichts abgebucht. Schreib es noch einmal.',
  'refusal-price_stale':
    'Dafür habe ich gerade keinen aktuellen Preis. Versuch es mit USDC oder in ein paar Minuten noch einmal.',
  'refusal-router_paused': 'Zahlungen sind gerade pausiert. Versuch es später noch einmal.',
  'refusal-plan_failed': 'Das kann ich leider nicht senden. Dir wurde nichts abgebucht.',
  'refusal-recipient_unknown': '{$label} kenne ich noch nicht. So klappt es: {$reply}.',
  'recipient-unknown-hold':
    '{$label} kenne ich noch nicht. So klappt es: {$reply}, oder heb das Geld für die Person auf.',
  'refusal-recipient_bot': '{$label} ist ein Bot. Bots kann man nichts geben.',
  'refusal-handle_not_found': '{$label} gibt es nicht. Prüf die Schreibweise.',
  'refusal-recipient_no_wallet': '{$label} hat für dieses Netzwerk noch keine Wallet.',
  'refusal-recipient_unopened':
    '{$label} hat dafür auf {$chain} noch kein Konto, und ich habe diesen Monat schon so viele für dich eröffnet, wie ich kann. Dafür reicht es, wenn dort zuerst etwas anderes ankommt.',
  'refusal-recipient_unopened_small':
    '{$label} hat dafür auf {$chain} noch kein Konto. Ab {$least} kann ich es aufbewahren, bis es abgeholt wird.',
  'refusal-recipient_not_on_chain': '{$label} kann auf {$where} bezahlt werden, aber nicht auf {$chain}.',
  'refusal-recipient_contract': '{$label} ist ein Smart-Contract, der nichts weiterschicken kann. Prüf die Adresse.',
  'refusal-recipient_twice': '{$label} hast du zweimal genannt. Bezahlt wird einmal.',
  'refusal-recipient_self': '{$label} bist du. Dir selbst kannst du nichts geben.',
  'refusal-chain_not_served': '{$chain} gibt es hier nicht. Ich kann auf {$chains} senden.',
  'refusal-asset_not_on_chain': '{$asset} gibt es auf {$chain} nicht. Lass das Netzwerk weg oder sende USDC.',
  'refusal-asset_not_served': '{$asset} gibt es hier nicht. Ich kann {$assets} senden.',
  'refusal-address_other_family':
    '{$label} gehört zu einer anderen Art von Netzwerk. Ich kann an Adressen auf {$chains} senden.',
  'refusal-amount_too_small': 'Es müssen mindestens {$least} sein.',
  'refusal-tab_too_small': '{$label} ist noch nicht verbunden. Für Neue müssen es mindestens {$least} sein.',
  'refusal-command_cap': 'Dein Limit pro Befehl ist {$cap}. Das hier sind {$total} mit Gebühr.',
  'refusal-server_cap': 'Das Limit pro Befehl ist auf diesem Server {$cap}. Das hier sind {$total} mit Gebühr.',
  'refusal-day_cap': 'Heute hast du noch {$left} von {$cap} übrig. Das hier sind {$total} mit Gebühr.',
  'refusal-balance_low': 'Dein Guthaben auf {$chain} ist {$have}. Du brauchst {$need} mit Gebühr.',
  'refusal-allowance_low': 'Deine Wallet lässt mich auf {$chain} noch {$have} senden. Du brauchst {$need} mit Gebühr.',
  'refusal-limit_per_tip': 'Dein Limit pro Zahlung auf {$chain} ist {$limit}. Du brauchst {$need} mit Gebühr.',
  'refusal-limit_per_day': 'Heute hast du auf {$chain} noch {$limit} übrig. Du brauchst {$need} mit Gebühr.',
  'refusal-limit_fee': 'Die Gebühr ist {$need}. Dein Limit für eine Gebühr auf {$chain} ist {$limit}.',
  'refusal-bridge_away':
    'Dein Geld liegt auf {$from}, und die Brücke zu {$chain} antwortet nicht. Dir wurde nichts abgebucht. Versuch es in ein paar Minuten noch einmal.',
  'refusal-bridge_fee':
    'Dein Geld liegt auf {$from}, und die Brücke zu {$chain} ist gerade zu teuer. Dir wurde nichts abgebucht. Versuch es später noch einmal.',
  'refusal-not_bridged':
    'Dein Geld liegt auf {$from}, und von dort kommen Trinkgelder nicht zu {$chain}. Dir wurde nichts abgebucht. Sende auf {$from}, oder lade auf {$chain} auf.',
  'refusal-token_refused':
    'Die Währung auf {$chain} hat diese Zahlung abgelehnt („{$text}“). Dir wurde nichts abgebucht.',
  'refusal-chain_refused':
    '{$chain} hat diese Zahlung abgelehnt ({$reason}). Dir wurde nichts abgebucht. Prüf deine Limits.',

  'error-rate_limited': 'Das war deine fünfte Zahlung in dieser Stunde. Die nächste geht {$when}.',
  'error-links_limited': 'Du hast schon viele Links angefordert. Den nächsten bekommst du {$when}.',
  'in-minutes': `{$minutes ->
    [one] in einer Minute
   *[other] in {$minutes} Minuten
  }`,
  'in-hours': `{$hours ->
    [one] in einer Stunde
   *[other] in {$hours} Stunden
  }`,
  'error-server_off': 'Auf diesem Server sind Zahlungen ausgeschaltet. In unserem privaten Chat geht es.',
  'error-server_channel': 'Auf diesem Server zahlst du in {$where}.',
  'error-too_old':
    'Deine Nachricht kam mehr als 10 Minuten zu spät an, deshalb habe ich nichts getan. Schreib sie noch einmal, wenn du noch willst.',
  'error-amount_missing': 'Wie viel? Versuch {$tip}.',
  'error-amount_invalid': 'Den Betrag konnte ich nicht lesen. Versuch {$tip}.',
  'error-amount_invalid-word': '„{$word}“ konnte ich nicht als Betrag lesen. Versuch {$tip}.',
  'error-amount_ambiguous':
    'Beim Betrag war ich nicht sicher. Schreib 1000 für tausend, 1,0 für eins, und „für“ vor eine Notiz.',
  'error-amount_ambiguous-word':
    'Bei „{$word}“ war ich nicht sicher. Schreib 1000 für tausend, 1,0 für eins, und „für“ vor eine Notiz.',
  'error-amount_zero': 'Es müssen mindestens {$least} sein.',
  'error-amount_too_small': 'Es müssen mindestens {$least} sein.',
  'error-amount_too_large': 'Das ist mehr, als ich senden kann.',
  'error-too_many_decimals': 'Das sind zu viele Nachkommastellen. USDC hat sechs.',
  'error-recipient_missing': 'Für wen? Versuch {$tip}, oder {$reply}.',
  'error-recipient_missing-x': 'Für wen? Versuch {$tip}.',
  'error-recipient_invalid': 'Ich konnte nicht erkennen, für wen es ist. Versuch {$tip}.',
  'error-recipient_invalid-word': 'Ich konnte nicht erkennen, wer „{$word}“ ist. Versuch {$tip}.',
  'error-recipient_pronoun': 'In einer Antwort reicht „tip 5“. Du brauchst keinen Namen.',
  'error-recipient_self': 'Dir selbst kannst du nichts geben.',
  'error-recipient_bot': 'Bots kann man nichts geben.',
  'error-recipient_channel':
    'Das wurde als Kanal geschrieben, deshalb weiß ich nicht, von wem es ist. Nenn die Person: {$tip}.',
  'error-too_many_recipients': 'Das sind zu viele Leute. Ein Befehl geht an höchstens {$most}, „send“ an eine Person.',
  'error-mass_mention': 'Ich kann nicht allen auf einmal etwas geben. Nenn die Leute einzeln.',
  'error-role_recipient': 'Einer Rolle kann man nichts geben. Nenn die Leute einzeln.',
  'error-multiple_commands': 'Bitte nur ein Befehl pro Nachricht.',
  'error-split_mismatch': 'Die Teile ergeben zusammen nicht die Summe.',
  'error-split_too_few': 'Zum Aufteilen braucht es mindestens zwei Leute. Für eine Person versuch {$tip}.',
  'error-address_in_tip': 'An eine Adresse zahlst du mit {$send}.',
  'error-address_other_family':
    'Diese Adresse gehört zu einer anderen Art von Netzwerk. Ich kann an Adressen auf {$chains} senden.',
  'error-address_checksum': 'In dieser Adresse ist ein Tippfehler. Kopier sie noch einmal.',
  'error-ens_unsupported': 'ENS-Namen kann ich nicht lesen. Nimm die Adresse: {$send}.',
  'error-ens_unsupported-word': 'ENS-Namen wie „{$word}“ kann ich nicht lesen. Nimm die Adresse: {$send}.',
  'error-unsupported_token': 'Das kann ich nicht senden. Ich kann {$assets} senden.',
  'error-unsupported_token-word': '„{$word}“ kann ich nicht senden. Ich kann {$assets} senden.',
  'error-unsupported_currency': 'Beträge sind hier in US-Dollar. Versuch {$tip}.',
  'error-unsupported_currency-word': '„{$word}“ kann ich nicht senden. Beträge sind hier in US-Dollar. Versuch {$tip}.',
  'error-unsupported_chain': 'Dieses Netzwerk kenne ich nicht. Ich kann auf {$chains} senden.',
  'error-unsupported_chain-word': 'Das Netzwerk „{$word}“ kenne ich nicht. Ich kann auf {$chains} senden.',
  'error-suspicious_unicode': 'In dieser Nachricht sind versteckte Zeichen. Tipp sie von Hand.',
  'error-suspicious_unicode-word': 'In „{$word}“ sind versteckte Zeichen. Tipp es von Hand.',
  'error-pending_limited':
    'Bis du verbunden bist, merke ich mir eine Zahlung am Tag. Verbinde dich jetzt, oder versuch es {$when} noch einmal.',

  'page-resume': 'Nur deine Wallet kann deine Ausgaben wieder einschalten. Das machst du {$there}.',
  'page-refund': 'Was noch nicht abgeholt wurde, kannst du {$there} zurücknehmen.',
  'page-settings': 'Deine Einstellungen findest du {$there}.',
  'there-button': 'auf dieser Seite',
  'there-profile': 'auf der Seite in meinem Profil',

  'button-change-limit': 'Limit ändern',
  'button-top-up': 'Aufladen',
  'button-resume': 'Einschalten',
  'button-refund': 'Was du gesendet hast',
  'button-page': 'Seite einschalten',
  'button-more': 'So funktioniert es',
};
