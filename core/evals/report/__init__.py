"""What many chats came to, for those who read it: `data.py` makes a report of a tally, which is
also what machines read (JSON); `terminal.py` and `page.py` show that report to people.
"""
