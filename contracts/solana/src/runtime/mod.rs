//! The program's view of the machine: its input, its accounts, system calls, the token program and events.

pub mod accounts;
pub mod addresses;
pub mod calls;
pub mod events;
pub mod tokens;

use crate::errors::*;
use crate::state::Key;
use accounts::Account;

/// Accounts of one instruction: more than the largest one lists.
pub const MOST_ACCOUNTS: usize = 48;
/// Bytes that the loader leaves behind an account's data for its growth.
const GROWTH: usize = 10_240;
/// The loader's heap, which nothing else uses.
const HEAP: u64 = 0x3_0000_0000;

pub struct Context {
    accounts: [Account; MOST_ACCOUNTS],
    count: usize,
    /// The arguments after the tag.
    pub data: &'static [u8],
    pub tag: u8,
    pub program: &'static Key,
    /// Unix seconds.
    pub now: u64,
}

impl Context {
    /// The accounts after the program's own, of which there are exactly `N`.
    pub fn exactly<const N: usize>(&self) -> Result<&[Account; N]> {
        let (accounts, rest) = self.at_least::<N>()?;
        if rest.is_empty() { Ok(accounts) } else { Err(WRONG_ACCOUNTS) }
    }

    /// The first `N` accounts after the program's own, and those behind them.
    pub fn at_least<const N: usize>(&self) -> Result<(&[Account; N], &[Account])> {
        let all = self.all();
        match all.first() {
            Some(own) if own.key == self.program => (),
            _ => return Err(WRONG_ACCOUNTS),
        }
        match (all.get(1..=N), all.get(N + 1..)) {
            (Some(first), Some(rest)) => Ok((first.try_into().map_err(|_| WRONG_ACCOUNTS)?, rest)),
            _ => Err(WRONG_ACCOUNTS),
        }
    }

    pub fn all(&self) -> &[Account] {
        self.accounts.get(..self.count).unwrap_or(&[])
    }

    pub fn args(&self) -> Args {
        Args { bytes: self.data }
    }
}

/// Reads an instruction's arguments in their order.
pub struct Args {
    bytes: &'static [u8],
}

impl Args {
    fn take(&mut self, count: usize) -> Result<&'static [u8]> {
        match (self.bytes.get(..count), self.bytes.get(count..)) {
            (Some(taken), Some(rest)) => {
                self.bytes = rest;
                Ok(taken)
            }
            _ => Err(INVALID_INSTRUCTION),
        }
    }

    pub fn key(&mut self) -> Result<&'static Key> {
        // A key is 32 bytes of any value, at any address.
        Ok(unsafe { &*(self.take(32)?.as_ptr() as *const Key) })
    }

    pub fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.take(8)?.try_into().map_err(|_| INVALID_INSTRUCTION)?))
    }

    pub fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.take(4)?.try_into().map_err(|_| INVALID_INSTRUCTION)?))
    }

    pub fn u8(&mut self) -> Result<u8> {
        Ok(*self.take(1)?.first().ok_or(INVALID_INSTRUCTION)?)
    }

    /// 0 or 1.
    pub fn flag(&mut self) -> Result<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(INVALID_INSTRUCTION),
        }
    }

    pub fn rest(&mut self) -> &'static [u8] {
        core::mem::take(&mut self.bytes)
    }

    /// Refuses what is left over.
    pub fn end(&self) -> Result<()> {
        if self.bytes.is_empty() { Ok(()) } else { Err(INVALID_INSTRUCTION) }
    }
}

/// Reads the loader's input into the heap.
/// # Safety
/// `input` is what the loader passes to the entry point.
#[inline(never)]
pub unsafe fn read(mut input: *mut u8) -> Result<&'static Context> {
    let context = &mut *(HEAP as *mut Context);
    let count = *(input as *const u64) as usize;
    if count > MOST_ACCOUNTS {
        return Err(WRONG_ACCOUNTS);
    }
    input = input.add(8);
    let mut at = 0;
    while at < count {
        let duplicate = *input;
        let account = if duplicate == 0xff {
            let (account, next) = Account::read(input, GROWTH);
            input = next;
            account
        } else {
            input = input.add(8);
            match context.accounts.get(duplicate as usize) {
                Some(account) if (duplicate as usize) < at => account.clone(),
                _ => return Err(WRONG_ACCOUNTS),
            }
        };
        if let Some(place) = context.accounts.get_mut(at) {
            core::ptr::write(place, account);
        }
        at += 1;
    }
    context.count = count;
    let length = *(input as *const u64) as usize;
    input = input.add(8);
    if length == 0 {
        return Err(INVALID_INSTRUCTION);
    }
    context.tag = *input;
    context.data = core::slice::from_raw_parts(input.add(1), length - 1);
    context.program = &*(input.add(length) as *const Key);
    context.now = calls::now();
    Ok(context)
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    calls::stop()
}
